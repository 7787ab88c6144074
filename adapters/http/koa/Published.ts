import { createHash } from "node:crypto"
import { HandlerResponse } from "./HandlerResponse.ts"

/** Readers keep it for five minutes, and then ask whether it is still good. */
const KEPT = "public, max-age=300"

/**
 * A document for everybody: it may be kept for a while, read by pages elsewhere, which send no
 * credentials, and asked for by its tag.
 */
export class Published {
  readonly #document: object
  #known: { readonly text: string; readonly tag: string } | undefined

  constructor(document: object) {
    this.#document = document
  }

  /** It, or that the reader's copy is good. `ifNoneMatch` is the header of that name. */
  answer(ifNoneMatch: string | ReadonlyArray<string> | undefined): HandlerResponse {
    this.#known ??= known(this.#document)
    const { tag, text } = this.#known
    const headers = {
      ETag: tag,
      "Cache-Control": KEPT,
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": "ETag",
    }
    return isSame(tag, ifNoneMatch)
      ? new HandlerResponse("", 304, headers)
      : new HandlerResponse(text, 200, headers)
  }
}

const known = (document: object) => {
  const text = JSON.stringify(document)
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 22)
  return { text, tag: `"${hash}"` }
}

/** A proxy that packs what it passes on makes tags weak, which says the same here (RFC 9110). */
const isSame = (tag: string, ifNoneMatch: string | ReadonlyArray<string> | undefined): boolean => {
  if (ifNoneMatch === undefined) return false
  const asked = String(ifNoneMatch)
    .split(",")
    .map((one) => one.trim().replace(/^W\//, ""))
  return asked.includes(tag) || asked.includes("*")
}
