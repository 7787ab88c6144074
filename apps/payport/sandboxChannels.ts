import { SandboxOption } from "./PayportOptions.ts"

/**
 * Thirteen simulated channels, without any money. `payport.sandbox` plays the people who pay, and
 * moves the clock.
 */
export const sandbox = (): SandboxOption => new SandboxOption()
