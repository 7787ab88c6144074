import { Result } from "effect"
import { Failure, invalidField } from "../../../core/shared/Failure.ts"

/** Where an app has the interface. */
export interface Place {
  /**
   * The path before `/v1` as requests to this process have it, such as `/payments`; that of the
   * installation's base URL unless given.
   */
  readonly prefix?: string | undefined
  /**
   * Whether paths are rewritten on their way to this process, by a proxy or by the app: only then
   * can the prefix be another than the base URL's.
   */
  readonly rewritten?: boolean | undefined
}

const FORM = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)*$/

/**
 * The prefix of a place, without a slash at its end; empty for the top.
 *
 * Fails with `INVALID_REQUEST` for one that is no path, and for one that links in answers, which
 * begin with the base URL, would not lead to.
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
        `Links in answers begin with the base URL ${base_url} and would not lead to ${said}:` +
        ` make the base URL ${wanted}, or say that paths are rewritten on their way here.`,
      field: "prefix",
    }),
  )
}

/** The path within a prefix; undefined for one outside it. */
export const within = (prefix: string, path: string): string | undefined => {
  if (prefix === "") return path
  if (!path.startsWith(prefix)) return undefined
  const rest = path.slice(prefix.length)
  return rest === "" || rest.startsWith("/") ? rest : undefined
}
