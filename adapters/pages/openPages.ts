import { Effect } from "effect"
import { Installation } from "../../core/ports/Installation.ts"
import { AddressGate } from "../shared/addresses/AddressGate.ts"
import type { Incoming, Outgoing } from "../shared/Exchange.ts"
import type { Intake } from "../shared/Intake.ts"
import { makeStreams, STREAM_LIMITS, type StreamLimits } from "../shared/streams/eventStreams.ts"
import { makeAnswerPages } from "./answerPages.ts"
import { makeFindPage } from "./findPage.ts"
import type { Page, Site } from "./Page.ts"
import { Assets } from "./shared/Assets.ts"
import { assetPage } from "./shared/assetPage.ts"

/** The part of Koa's context that the middleware reads. */
interface KoaContext {
  readonly req: Incoming
  readonly res: Outgoing
  respond?: boolean | undefined
}

/** The pages beside the interface. */
export interface Pages {
  /** Whether a path is a page's, or begins like one. */
  readonly serves: (path: string) => boolean
  /** Answers a request for such a path. */
  readonly handle: (req: Incoming, res: Outgoing, path: string) => Promise<void>
  /** Koa middleware that serves these paths and passes on all others. */
  readonly page: (ctx: KoaContext, next: () => Promise<unknown>) => Promise<void>
  /** Ends streams, and refuses new requests. */
  readonly close: Effect.Effect<void>
}

/** How pages are served. */
export interface PagesOptions {
  /** Limits callers by address. No limits by default. */
  readonly gate?: AddressGate | undefined
  /** The HTTP server's: pages count among its requests. */
  readonly intake: Intake
  /** The limits of event streams: by default those of the interface, with a tenth per network. */
  readonly streams?: Partial<StreamLimits> | undefined
}

const LIMITS: StreamLimits = { ...STREAM_LIMITS, mostPerAccount: STREAM_LIMITS.most / 10 }

const pathOf = (url: string): string =>
  url.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/)[0] ?? ""

/**
 * Opens the pages of a table in the context of this effect, in which they run. Throws
 * `AssetsMissing` if the files that browsers load have not been built.
 */
export const openPages = Effect.fnUntraced(function* <R>(
  table: ReadonlyArray<Page<R>>,
  { gate = new AddressGate({ limits: null }), intake, streams: limits }: PagesOptions,
) {
  const { base_url, mode } = yield* Installation
  const context = yield* Effect.context<R>()
  const run = Effect.runPromiseExitWith(context)
  const follow = Effect.runCallbackWith(context)
  const streams = makeStreams<R>(
    (effect, onExit) => void follow(effect, { onExit }),
    { ...LIMITS, ...limits },
    () => undefined,
  )
  const assets = new Assets()
  const root = (URL.parse(base_url)?.pathname ?? "").replace(/\/$/, "")
  const asset = (name: string) => `${root}/assets/${assets.nameOf(name)}`
  const site: Site = { base_url, root, mode, asset }
  let closed = false
  const find = makeFindPage<R>([assetPage(assets), ...table])
  const answer = makeAnswerPages<R>({ site, gate, intake, run, isClosed: () => closed, streams })

  const handle: Pages["handle"] = async (req, res, path) => {
    const found = find(req.method ?? "", path) ?? { type: "nothing" }
    await answer(req, res, path, found).catch((error: unknown) => {
      void run(Effect.logError("a page could not be answered", error))
      res.destroy()
    })
  }
  const page: Pages["page"] = async (ctx, next) => {
    const path = pathOf(ctx.req.url ?? "/")
    if (find(ctx.req.method ?? "", path) === undefined) {
      await next()
      return
    }
    ctx.respond = false
    await handle(ctx.req, ctx.res, path)
  }
  return {
    serves: (path) => find("GET", path) !== undefined,
    handle,
    page,
    close: Effect.sync(() => {
      closed = true
      streams.closeAll()
    }),
  } satisfies Pages
})
