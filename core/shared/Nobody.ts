/**
 * Stands in records of several accounts for one that a reset of the sandbox has taken out of them.
 * It is no account's id, so nobody sees the record by it.
 */
export const NOBODY = "acct_00000000-0000-8000-8000-000000000000"
