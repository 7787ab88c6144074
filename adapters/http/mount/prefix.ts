import { Result } from "effect"
import { Failure, invalidField } from "../../../core/shared/Failure.ts"

/** The place of the interface in an app. */
export interface Place {
  /**
   * The path before `/v1` in requests to this process, such as `/payments`. By default that of the
   * installation's base URL.
   */
  readonly prefix?: string | undefined
  /**
   * Whether a proxy or the app rewrites paths before this process. Only then may the prefix differ
   * from the base URL's.
   */
  readonly rewritten?: boolean | undefined
}

const FORM = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/

/**
 * Returns the prefix of a place without a final slash; empty for the root.
 *
 * Fails with `INVALID_REQUEST` if it is no path, or if the links in answers, which begin with the
 * base URL, would not lead to it.
 */
export const prefixOf = (
  { prefix, rewritten = false }: Place,
  base_url: string,
): Result.Result<string, Failure> => {
  const own = (URL.parse(base_url)?.pathname ?? "").replace(/\/$/, "")
  const said = (prefix ?? own).replace(/\/$/, "")
  if (!FORM.test(said)) {
    return Result.fail(invalidField("prefix", "must be a path such as /payments, without a query"))
  }
  if (said === own || rewritten) return Result.succeed(said)
  const wanted = `${base_url.slice(0, base_url.length - own.length)}${said}`
  return Result.fail(
    new Failure({
      code: "INVALID_REQUEST",
      message:
        `Links in responses begin with the base URL ${base_url} and would not lead to ${said}.` +
        ` Set the base URL to ${wanted}, or set rewritten if a proxy rewrites the paths.`,
      field: "prefix",
    }),
  )
}

/** Returns the path within a prefix; undefined for a path outside it. */
export const within = (prefix: string, path: string): string | undefined => {
  if (prefix === "") return path
  if (!path.startsWith(prefix)) return undefined
  const rest = path.slice(prefix.length)
  return rest === "" || rest.startsWith("/") ? rest : undefined
}
