/**
 * How a connection finds out that its server is gone without a word: a machine that lost power, a firewall or a container that
 * forgot the connection. After ten quiet seconds it asks every second; who does not answer ten times is gone. Without it a
 * statement would wait for its answer for two hours, and a pool whose connections all wait serves nobody.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const
