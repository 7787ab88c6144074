import { type SandboxContents, SandboxOption } from "./PayportOptions.ts"

/**
 * Thirteen simulated channels, or those that are named, without any money. `payport.sandbox` plays
 * the people who pay, and moves the clock. Channels of the host's stand beside them.
 */
export const sandbox = (contents: SandboxContents = {}): SandboxOption =>
  new SandboxOption(contents)
