/** A program under measurement that dies: whoever measures it goes on. */
import { startTarget } from './target.ts'
import type { Target } from './target.ts'

/** Longer than the system takes to end a process. */
const DYING_MS = 200

const startKilled = async (): Promise<Target> => {
  const program = new URL('./test-programs/serves-nothing.ts', import.meta.url)
  const target = await startTarget({ name: 'killed', program })
  process.kill(target.pid, 'SIGKILL')
  // Without a turn of the event loop, so that it is dead and this process does not know it yet.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, DYING_MS)
  return target
}

it('is stopped after it was killed, whether that is known yet or not', async () => {
  const target = await startKilled()
  target.resetLag()
  await target.stop()
  target.resetLag()
  await target.stop()
})

it('is not waited for when it was killed', async () => {
  const target = await startKilled()
  await expect(target.sample()).rejects.toThrow('the target killed ended')
  await expect(target.sample()).rejects.toThrow('the target killed ended')
})
