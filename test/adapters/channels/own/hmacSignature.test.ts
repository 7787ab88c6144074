import { createHmac } from "node:crypto"
import { describe, expect, test } from "vitest"
import { hmacSignature } from "../../../../adapters/channels/own/hmacSignature.ts"

const secret = "agreed upon with the bank"
const body = Buffer.from('{"order":"1"}')
const options = { signal: new AbortController().signal }
const sign = (of: Uint8Array, by: string, encoding: "hex" | "base64") =>
  createHmac("sha256", by).update(of).digest(encoding)

describe.each(["hex", "base64"] as const)("in %s", (encoding) => {
  const verify = hmacSignature({ header: "X-Bank-Signature", secret, encoding })
  const right = sign(body, secret, encoding)

  test.each<[boolean, string, string | undefined]>([
    [true, "of these bytes by the secret", right],
    [false, "that is missing", undefined],
    [false, "that is empty", ""],
    [false, "of other bytes", sign(Buffer.from("{}"), secret, encoding)],
    [false, "by another secret", sign(body, "another", encoding)],
    [false, "that is cut", right.slice(0, -1)],
    [false, "that goes on", `${right}0`],
    [false, "in another encoding", sign(body, secret, encoding === "hex" ? "base64" : "hex")],
    [false, "of as many characters that are none", "ä".repeat(right.length)],
  ])("%s: a signature %s", async (isGenuine, _, sent) => {
    const headers = sent === undefined ? {} : { "x-bank-signature": sent }
    expect(await verify({ body, headers }, options)).toBe(isGenuine)
  })
})

test("an empty secret is refused, since anybody could sign with it", () => {
  expect(() => hmacSignature({ header: "X-Bank-Signature", secret: "" })).toThrow(TypeError)
})
