import { sandboxPages } from "../../adapters/pages/everyPage.ts"
import { openPages } from "../../adapters/pages/openPages.ts"
import { type AppOptions, startApp } from "./app.ts"

/** Starts a sandbox with what people see of it. */
export const openSite = async (options: AppOptions = {}) => {
  const site: AppOptions["site"] = ({ gate, intake }) => openPages(sandboxPages, { gate, intake })
  const app = await startApp({ sandbox: true, site, ...options })
  const get = (path: string, headers: { readonly [name: string]: string } = {}) =>
    fetch(`${app.url}${path}`, { headers, redirect: "manual" })
  return { ...app, get }
}

/** A sandbox with its pages. */
export type SiteApp = Awaited<ReturnType<typeof openSite>>
