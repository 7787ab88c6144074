/**
 * The entry of `payport/vitest`: `expect(world).toHold()`, and a test for each seed. Import it in a
 * test or as one of Vitest's `setupFiles` to register the matcher.
 */
import { addToHold } from "./vitest/toHold.ts"

// Exported so that the entry's declarations include the matcher's type.
export { addToHold } from "./vitest/toHold.ts"
export type { TellOptions } from "./vitest/failureOf.ts"
export {
  arbitraryWorld,
  type PropertyOptions,
  testWorldProperty,
} from "./vitest/testWorldProperty.ts"
export { testWorlds, type WorldsOptions } from "./vitest/testWorlds.ts"

addToHold()
