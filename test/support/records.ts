/** The records of the contracts, which most tests begin with. */
export * from "../../apps/payport/testing/records/index.ts"
