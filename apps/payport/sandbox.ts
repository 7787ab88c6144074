/** The entry of `payport/sandbox`: simulated channels. */
export { type DemoOptions, demoShop } from "./demoShop.ts"
export { sandbox } from "./sandboxChannels.ts"
