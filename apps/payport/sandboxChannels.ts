import { type SandboxContents, SandboxOption } from "./PayportOptions.ts"

/**
 * The thirteen simulated channels, or the named ones, without real money. `payport.sandbox` plays
 * the payers, and moves the clock. The host's own channels can be used besides them.
 */
export const sandbox = (contents: SandboxContents = {}): SandboxOption =>
  new SandboxOption(contents)
