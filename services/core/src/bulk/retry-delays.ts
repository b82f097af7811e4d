/** Only an unavailable database and a killed process lead to a retry; any other error ends the import or export. */
export const BULK_RETRY_DELAYS_SECONDS = [1, 1, 5, 15, 60, 300, 900, 3_600]
