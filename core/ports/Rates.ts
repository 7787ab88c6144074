import { Context, type Effect } from "effect"
import type { Rate } from "../shared/Rate.ts"
import type { Timestamp } from "../shared/Timestamp.ts"
import type { Failure } from "../shared/Failure.ts"

/** Mid-market rates against the US dollar. */
export class Rates extends Context.Service<
  Rates,
  {
    /**
     * How many units of the currency one US dollar buys, and since when. Who asks makes sure that
     * it is more than none.
     *
     * Fails with `INVALID_AMOUNT` for a currency without a rate and with `TEMPORARILY_UNAVAILABLE`
     * when the rates are too old to be used.
     */
    readonly perDollar: (
      currency: string,
    ) => Effect.Effect<
      { readonly rate: Rate; readonly as_of: Timestamp },
      Failure<"INVALID_AMOUNT" | "TEMPORARILY_UNAVAILABLE">
    >
  }
>()("payport/core/ports/Rates") {}
