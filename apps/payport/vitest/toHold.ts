import { expect } from "vitest"
import type { Report } from "../../../simulator/Report.ts"
import { failureOf, type TellOptions } from "./failureOf.ts"

declare module "vitest" {
  // Its parameters have to be those of Vitest's own declaration.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> {
    /**
     * Every invariant of a simulated world held. It takes what `simulate` and `perform` of
     * `payport/simulator` return, and fails with the story, the seed and how to run it again.
     */
    toHold: (options?: TellOptions) => R
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
