/** The entry of `payport/http`: the types of `payport.http()`. */
export { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
export type { AddressGateOptions } from "../../adapters/shared/addresses/AddressGate.ts"
export { Intake } from "../../adapters/shared/Intake.ts"
export type { IntakeLimits } from "../../adapters/shared/Intake.ts"
export type { Beside, Mounted, MountOptions } from "../../adapters/http/mount.ts"
