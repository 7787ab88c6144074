import { isRate, readRate } from "../../core/shared/Rate.ts"
import type { Calculated } from "../auditor/invariants/calculations.ts"

/** Texts that are rates or nearly, and what is read of them. */
const RATES: ReadonlyArray<readonly [text: string, isRate: boolean, read: string | undefined]> = [
  ["1", true, "1"],
  ["0", false, undefined],
  ["0.0", false, undefined],
  ["0.000000000001", true, "0.000000000001"],
  ["123456789012.123456789012", true, "123456789012.123456789012"],
  ["1234567890123", false, undefined],
  ["0.1234567890125", false, "0.123456789012"],
  ["0.1234567890135", false, "0.123456789014"],
  ["0.0000000000004", false, undefined],
  ["1.5e-3", false, "0.0015"],
  ["25E-1", false, "2.5"],
  ["5e-13", false, undefined],
  ["1e3", false, undefined],
  ["1.", false, undefined],
  [".5", false, undefined],
  ["-1", false, undefined],
  ["one", false, undefined],
]

/** Reads rates that somebody else wrote. */
export const readings = (): ReadonlyArray<Calculated> =>
  RATES.map(([text, isOne, read]) => ({
    what: `the rate ${text}`,
    expected: [isOne, read ?? null],
    found: [isRate(text), readRate(text) ?? null],
  }))
