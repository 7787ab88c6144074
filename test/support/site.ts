import { Effect } from "effect"
import { operatorKeys } from "../../adapters/http/koa/operators.ts"
import { worldPages, type WorldPorts } from "../../adapters/pages/console/world/worldPages.ts"
import { type PagePorts, sandboxPages } from "../../adapters/pages/everyPage.ts"
import type { Page } from "../../adapters/pages/Page.ts"
import { openPages } from "../../adapters/pages/openPages.ts"
import { AddressGate } from "../../adapters/shared/addresses/AddressGate.ts"
import { threadWorlds } from "../../apps/simulate/live/threadWorlds.ts"
import type { Sandbox } from "../../core/ports/Sandbox.ts"
import { type AppOptions, startApp } from "./app.ts"

/** Starts a sandbox with what people see of it. */
export const openSite = async (options: AppOptions = {}, lookEvery?: number) => {
  const worlds = threadWorlds()
  const pages: Array<Pick<Page<never>, "method" | "path">> = []
  const site: AppOptions["site"] = ({ adminKey, gate, intake, operators }) => {
    const sessions = {
      gate: gate ?? new AddressGate({ limits: null }),
      operators: operatorKeys(adminKey, operators),
    }
    const watching: ReadonlyArray<Page<WorldPorts | PagePorts | Sandbox>> = worldPages(
      sessions,
      worlds,
      lookEvery,
    )
    const all = [...sandboxPages, ...watching]
    pages.push(...all)
    return openPages(all, { gate, intake })
  }
  const app = await startApp({ sandbox: true, site, ...options })
  const get = (path: string, headers: { readonly [name: string]: string } = {}) =>
    fetch(`${app.url}${path}`, { headers, redirect: "manual" })
  const stop = async () => {
    await Effect.runPromise(worlds.close)
    await app.stop()
  }
  return { ...app, get, stop, pages }
}

/** A sandbox with its pages. */
export type SiteApp = Awaited<ReturnType<typeof openSite>>
