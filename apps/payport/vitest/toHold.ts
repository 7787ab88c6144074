import { expect } from "vitest"
import type { Report } from "../../../simulator/Report.ts"
import { failureOf, type TellOptions } from "./failureOf.ts"

// Vitest's own interface of matchers has other type parameters in each major version, and one that
// is declared with others does not compile. These two have none in any: what Chai's assertions
// have, Vitest's have, too.
declare global {
  namespace Chai {
    interface Assertion {
      /**
       * Every invariant of a simulated world held. It takes what `simulate` and `perform` of
       * `payport/simulator` return, and fails with the story, the seed and how to run it again.
       */
      toHold: (options?: TellOptions) => void
    }
  }
}

declare module "vitest" {
  interface AsymmetricMatchersContaining {
    /** A simulated world in which every invariant held, within another value. */
    toHold: (options?: TellOptions) => unknown
  }
}

const isReport = (received: unknown): received is Report =>
  typeof received === "object" &&
  received !== null &&
  Array.isArray(Reflect.get(received, "invariants")) &&
  typeof Reflect.get(received, "seed") === "number"

/** Makes `expect(world).toHold()` known to Vitest. */
export const addToHold = (): void =>
  expect.extend({
    toHold: (received: unknown, options: TellOptions = {}) => {
      if (!isReport(received)) {
        throw new TypeError("toHold() takes the report of a world, such as simulate() returns.")
      }
      const failure = failureOf(received, options)
      const { scenario, seed } = received
      return {
        pass: failure === undefined,
        message: () =>
          failure?.message ?? `The world ${scenario} with seed ${seed} holds, and should not.`,
      }
    },
  })
