/** The entry of `payport/testing`: contract suites for the host's own adapters. */
export {
  beforeCommitContract,
  type HookedStore,
  type TestHook,
} from "./testing/beforeCommitContract.ts"
export { channelContract, type ChannelUnderTest } from "./testing/channelContract.ts"
export type { ChannelTestMode, SentCallback } from "./testing/channel/probe.ts"
export type { Contract, ContractCheck, MethodsCovered, Tried } from "./testing/Contract.ts"
export { untried } from "./testing/Contract.ts"
export { documentsContract } from "./testing/documentsContract.ts"
export {
  identityVerifierContract,
  type IdentityVerifierUnderTest,
  type TestPeople,
} from "./testing/identityVerifierContract.ts"
export { rateLeasesContract } from "./testing/rateLeasesContract.ts"
export { ratesContract, type RatesUnderTest } from "./testing/ratesContract.ts"
export {
  revokerContract,
  type RevokerUnderTest,
  type RevocationTarget,
} from "./testing/revokerContract.ts"
export { CUT_POINTS, type CutPoint, StoreFaults } from "./testing/store/faults.ts"
export { storeContract, type StoreUnderTest } from "./testing/storeContract.ts"
export type { StoreCovered } from "./testing/StoreCoverage.ts"
export {
  type OptionUnderTest,
  storeContracts,
  testContracts,
  type TestRunner,
} from "./testing/testContracts.ts"
export { vaultContract, type VaultUnderTest } from "./testing/vaultContract.ts"
