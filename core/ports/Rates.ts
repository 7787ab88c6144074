import { Context, type Effect } from "effect"
import type { Rate } from "../shared/Rate.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Failure } from "../shared/Failure.ts"

/** Mid-market rates against the US dollar. */
export class Rates extends Context.Service<
  Rates,
  {
    /**
     * Returns how many units of the currency one US dollar buys, and since when. The caller checks
     * that the rate is above zero.
     *
     * Fails with `INVALID_AMOUNT` for a currency without a rate and with `TEMPORARILY_UNAVAILABLE`
     * if the rates are too old to be used.
     */
    readonly perDollar: (
      currency: string,
    ) => Effect.Effect<
      { readonly rate: Rate; readonly as_of: Timestamp },
      Failure<"INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE">
    >
  }
>()("payport/core/ports/Rates") {}
