import { createHash } from "node:crypto"
import { isSameTag } from "../../shared/isSameTag.ts"
import { HandlerResponse } from "./HandlerResponse.ts"

/** Readers keep a document for five minutes and then revalidate it. */
const KEPT = "public, max-age=300"

/**
 * A public document. Caches may keep it, pages of other origins may read it without credentials,
 * and readers may revalidate it by its tag.
 */
export class Published {
  readonly #document: object
  #known: { readonly text: string; readonly tag: string } | undefined

  constructor(document: object) {
    this.#document = document
  }

  /** Returns the document, or 304 if the reader's copy is current. `ifNoneMatch` is the header. */
  answer(ifNoneMatch: string | ReadonlyArray<string> | undefined): HandlerResponse {
    this.#known ??= known(this.#document)
    const { tag, text } = this.#known
    const headers = {
      ETag: tag,
      "Cache-Control": KEPT,
      "Access-Control-Allow-Origin": "*",
      "Access-Control-Expose-Headers": "ETag",
    }
    return isSameTag(tag, ifNoneMatch)
      ? new HandlerResponse("", 304, headers)
      : new HandlerResponse(text, 200, headers)
  }
}

const known = (document: object) => {
  const text = JSON.stringify(document)
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 22)
  return { text, tag: `"${hash}"` }
}
