import { Result } from "effect"
import { type ToolFilter, toolFilterOf } from "../../core/agents/ToolFilter.ts"
import { Failure } from "../../core/shared/Failure.ts"
import { MARKET } from "./doors.ts"

/** The query of an address. */
export interface AddressQuery {
  /** The filter of listed tools. */
  readonly filter: ToolFilter
  /** Whether purchases are paid by x402: `payment=x402`. */
  readonly x402: boolean
  /** Whether they are paid by MPP: `payment=mpp`. */
  readonly mpp: boolean
}

const invalid = (message: string) =>
  Result.fail(new Failure({ code: "INVALID_QUERY", message, field: "payment" }))

/**
 * Reads the query of an address.
 *
 * Fails with `INVALID_QUERY` for an unknown parameter or value.
 */
export const readQuery = (path: string, url = ""): Result.Result<AddressQuery, Failure> => {
  const [, query = ""] = url.split("#", 1)[0]?.split("?", 2) ?? []
  const said = [...new URLSearchParams(query)]
  const payments = said.filter(([name]) => name === "payment")
  if (payments.length > 1)
    return invalid("The query parameter payment is there twice. Send it once.")
  const by = payments[0]?.[1]
  if (by !== undefined && by !== "x402" && by !== "mpp") {
    return invalid("The query parameter payment must be x402 or mpp.")
  }
  const others = said.filter(([name]) => name !== "payment")
  if (path === MARKET.path && others.length > 0) {
    const message =
      "The only query parameter of the market is payment. To find services, call search_services."
    return Result.fail(new Failure({ code: "INVALID_QUERY", message }))
  }
  return Result.map(toolFilterOf(others), (filter) => ({
    filter,
    x402: by === "x402",
    mpp: by === "mpp",
  }))
}
