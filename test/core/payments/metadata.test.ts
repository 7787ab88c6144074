import { describe, expect, test } from "vitest"
import { checkMetadata } from "../../../core/payments/PaymentIntent.ts"

const LIMIT = 4096

/** Metadata whose JSON has so many bytes as UTF-8, with a given character in it. */
const sized = (bytes: number, character: string) => {
  const rest = bytes - Buffer.byteLength(JSON.stringify({ note: character }))
  return { note: character + "x".repeat(rest) }
}

describe("metadata at its limit in bytes", () => {
  test.each(["x", "\u007f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "😀"])(
    "with %j",
    (character) => {
      const [least, more] = [sized(LIMIT, character), sized(LIMIT + 1, character)]
      expect(Buffer.byteLength(JSON.stringify(least))).toBe(LIMIT)
      expect(checkMetadata(least)).toBeUndefined()
      expect(checkMetadata(more)).toMatchObject({
        code: "INVALID_METADATA",
        details: { bytes: LIMIT + 1, limit: LIMIT },
      })
    },
  )
})
