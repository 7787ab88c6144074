import { relative } from "node:path"
import { expect, type MatcherState } from "vitest"
import type { Report } from "../../../simulator/Report.ts"
import { failureOf, type TellOptions } from "./failureOf.ts"

// Vitest's own interface of matchers has different type parameters in each major version, and a
// declaration with others does not compile. These two interfaces have none in any version. Vitest's
// assertions have everything that Chai's have.
declare global {
  namespace Chai {
    interface Assertion {
      /**
       * Expects that every invariant held in a result of `simulate` or `perform` of
       * `payport/simulator`. The failure has the story, the seed and the command to run it again.
       */
      toHold: (options?: TellOptions) => void
    }
  }
}

declare module "vitest" {
  interface AsymmetricMatchersContaining {
    /** Matches a simulated world in which every invariant held, within another value. */
    toHold: (options?: TellOptions) => unknown
  }
}

const isReport = (received: unknown): received is Report =>
  typeof received === "object" &&
  received !== null &&
  Array.isArray(Reflect.get(received, "invariants")) &&
  typeof Reflect.get(received, "seed") === "number"

/** Returns the file and the name of the test, the same on every machine. */
const testNameOf = ({ currentTestName = "", testPath = "" }: MatcherState): string =>
  `${relative(process.cwd(), testPath)} ${currentTestName}`

/** Registers `expect(world).toHold()` with Vitest. */
export const addToHold = (): void =>
  expect.extend({
    toHold(received: unknown, options: TellOptions = {}) {
      if (!isReport(received)) {
        throw new TypeError("toHold() takes the report of a world, such as simulate() returns.")
      }
      const failure = failureOf(received, options, testNameOf(this))
      const { scenario, seed } = received
      return {
        pass: failure === undefined,
        message: () =>
          failure?.message ?? `The world ${scenario} with seed ${seed} holds, and should not.`,
      }
    },
  })
