import { Effect } from "effect"
import { Failure } from "../../../core/shared/Failure.ts"
import type { Page } from "../Page.ts"
import type { Assets } from "./Assets.ts"

/** Serves the files that browsers load. */
export const assetPage = (assets: Assets): Page<never> => ({
  method: "GET",
  path: "/assets/:name",
  handle: ({ params, req }) =>
    Effect.flatMap(
      Effect.promise(() => assets.answer(params["name"] ?? "", req)),
      (found) =>
        found === undefined
          ? Effect.fail(new Failure({ code: "NOT_FOUND", message: "There is no such file." }))
          : Effect.succeed(found),
    ),
})
