/** The entry of `payport/sandbox`: simulated channels. */
export { sandbox } from "./sandboxChannels.ts"
