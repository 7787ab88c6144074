import { Effect } from "effect"
import type { ServerOptions } from "../../adapters/http/koa/HttpServer.ts"
import type { SessionOptions } from "../../adapters/pages/console/sessions.ts"
import { worldPages, type WorldPorts } from "../../adapters/pages/console/world/worldPages.ts"
import {
  livePages,
  operatorPages,
  type PagePorts,
  sandboxPages,
} from "../../adapters/pages/everyPage.ts"
import { openPages, type PagesOptions } from "../../adapters/pages/openPages.ts"
import type { Page } from "../../adapters/pages/Page.ts"
import { Installation } from "../../core/ports/Installation.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { threadWorlds } from "../simulate/live/threadWorlds.ts"

/** The pages as middleware of the server, and the effect that ends them. */
export interface Site {
  readonly pages: NonNullable<ServerOptions["pages"]>
  readonly close: Effect.Effect<void>
}

/** Opens the pages of a live installation. */
export const openLiveSite = Effect.fnUntraced(function* (options: PagesOptions) {
  const { close, page } = yield* openPages(livePages, options)
  const site: Site = { pages: [page], close }
  return site
})

/** Opens the pages of a sandbox, with the worlds that people watch, which end with the pages. */
export const openSandboxSite = Effect.fnUntraced(function* (
  options: PagesOptions,
  sessions: SessionOptions,
) {
  const worlds = threadWorlds()
  const watching: ReadonlyArray<Page<WorldPorts | PagePorts | Sandbox>> = worldPages(
    sessions,
    worlds,
  )
  const { close, page } = yield* openPages([...sandboxPages, ...watching], options)
  const site: Site = { pages: [page], close: Effect.andThen(worlds.close, close) }
  return site
})

/** Opens the operators' pages on their own listener; only a sandbox has worlds there. */
export const openOperatorsSite = Effect.fnUntraced(function* (
  options: PagesOptions,
  sessions: SessionOptions,
) {
  const { mode } = yield* Installation
  const worlds = mode === "sandbox" ? threadWorlds() : undefined
  const watching = worlds === undefined ? [] : worldPages(sessions, worlds)
  const { close, page } = yield* openPages<WorldPorts>([...operatorPages, ...watching], options)
  const ends = worlds === undefined ? close : Effect.andThen(worlds.close, close)
  const site: Site = { pages: [page], close: ends }
  return site
})
