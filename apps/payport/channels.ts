/** The entry of `payport/channels`: the host's own channels. */
export { gateway } from "./gateway.ts"
export type { GatewayOption, GatewayOptions } from "./gateway.ts"
