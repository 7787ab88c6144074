/** The entry of `payport/channels`: the host's own channels. */
export { gateway } from "./gateway.ts"
export type { GatewayOption, GatewayOptions } from "./gateway.ts"
export { defineChannel } from "./OwnChannelOption.ts"
export type { OwnChannelOption } from "./OwnChannelOption.ts"
export type * from "../../adapters/channels/own/OwnChannel.ts"
export { defaultCatalog } from "../../core/channels/Catalog.ts"
export type { Channel } from "../../core/channels/Channel.ts"
export { ChannelRefusal } from "../../core/ports/Channels.ts"
