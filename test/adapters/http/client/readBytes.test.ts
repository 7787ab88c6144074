import { describe, expect, test } from "vitest"
import { readBytes, readText } from "../../../../adapters/http/client/readBytes.ts"

/** A response whose stream cannot be iterated, as in some browsers. */
const response = (body: string): Response => {
  const made = new Response(body)
  Object.defineProperty(made.body, Symbol.asyncIterator, { value: undefined })
  return made
}

describe("a body", () => {
  test("is read where streams cannot be iterated", async () => {
    expect(await readText(response("{}"), 2)).toBe("{}")
    expect(await readText(response("{} "), 2)).toBeUndefined()
  })

  test("may be missing", async () => {
    expect(await readBytes(new Response(null), 2)).toEqual(new Uint8Array())
  })

  test("that does not end is given up, and its server is told", async () => {
    let isTold = false
    const cancel = () => {
      isTold = true
    }
    const endless = new Response(new ReadableStream({ cancel }))
    expect(await readBytes(endless, 2, 10)).toBeUndefined()
    expect(isTold).toBe(true)
  })
})
