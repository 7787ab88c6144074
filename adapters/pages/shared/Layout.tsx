import type { ComponentChildren } from "preact"
import type { Site } from "../Page.ts"
import type { Language } from "./Language.ts"

/** The properties of a document's frame around a page's content. */
export interface LayoutProps {
  readonly site: Site
  readonly language: Language
  readonly title: string
  /** For link previews and search engines; none by default. */
  readonly description?: string
  /** The parts whose style sheets and scripts it loads, such as `payment`. */
  readonly styles?: ReadonlyArray<string>
  readonly scripts?: ReadonlyArray<string>
  /** Seconds until the page reloads without a script; never by default. */
  readonly refresh?: number | undefined
  readonly children: ComponentChildren
}

/** The frame of every page. */
export const Layout = (props: LayoutProps) => {
  const { children, description, language, refresh, scripts = [], site, styles = [], title } = props
  return (
    <html lang={language === "zh" ? "zh-Hans" : "en"}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        {description !== undefined && <meta name="description" content={description} />}
        <title>{title}</title>
        <link rel="icon" href={site.asset("icon.svg")} type="image/svg+xml" />
        <link rel="stylesheet" href={site.asset("styles.css")} />
        {styles.map((name) => (
          <link key={name} rel="stylesheet" href={site.asset(`${name}.css`)} />
        ))}
        {scripts.map((name) => (
          <script key={name} type="module" src={site.asset(`${name}.js`)} />
        ))}
        {refresh !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(refresh)} />
          </noscript>
        )}
      </head>
      <body>{children}</body>
    </html>
  )
}
