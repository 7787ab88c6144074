/**
 * The entry of `payport/vitest`: `expect(world).toHold()`, and a test for each seed. Importing it,
 * in a test or as one of Vitest's `setupFiles`, makes the matcher known.
 */
import { addToHold } from "./vitest/toHold.ts"

// Exported, so that the declarations of the entry have the matcher's type with it.
export { addToHold } from "./vitest/toHold.ts"
export type { TellOptions } from "./vitest/failureOf.ts"
export {
  arbitraryWorld,
  type PropertyOptions,
  testWorldProperty,
} from "./vitest/testWorldProperty.ts"
export { testWorlds, type WorldsOptions } from "./vitest/testWorlds.ts"

addToHold()
