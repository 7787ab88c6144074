import type { ComponentChildren } from "preact"
import type { PageRequest } from "../Page.ts"
import { Layout } from "../shared/Layout.tsx"
import { Icon, type IconName } from "./icons.tsx"
import { Links } from "./Links.ts"
import { walletTexts } from "./messages.ts"

interface FrameProps {
  readonly request: PageRequest
  readonly title: string
  /** Whether the page has a link back to the first page. */
  readonly isInner?: boolean
  /** Whether the script reloads the state, as during a process. */
  readonly isLive?: boolean
  /** The service's time, by which the script counts down. */
  readonly now?: number
  /** The address of the events that tell the script about changes. */
  readonly events?: string
  /** Seconds after which a browser without scripts reloads. */
  readonly refresh?: number | undefined
  readonly children: ComponentChildren
}

/** The frame of a phone: a header, and the page under it. */
export const WalletFrame = (props: FrameProps) => {
  const { children, events, isInner = false, isLive = false, now, refresh, request, title } = props
  const { language, path, query, site } = request
  const texts = walletTexts[language]
  const links = new Links(request)
  const { label, language: other } = texts.other
  const said = Object.fromEntries([...query].filter(([name]) => name !== "lang"))
  return (
    <Layout
      site={site}
      language={language}
      title={`${title} · ${texts.wallet}`}
      styles={["wallet"]}
      scripts={["wallet"]}
      refresh={refresh}
    >
      <a class="skip" href="#content">
        {texts.skip}
      </a>
      <div class="phone">
        <header class="bar">
          {isInner ? (
            <a class="back" href={links.home}>
              <Icon name="back" />
              {texts.wallet}
            </a>
          ) : (
            <span class="brand">{texts.wallet}</span>
          )}
          <a
            class="language"
            href={links.to(path, { ...said, lang: other })}
            lang={other === "zh" ? "zh-Hans" : "en"}
          >
            {label}
          </a>
        </header>
        <main
          id="content"
          class="screen"
          data-live={isLive ? "" : undefined}
          data-events={isLive ? events : undefined}
          data-now={isLive ? now : undefined}
        >
          {children}
        </main>
        <footer class="under">{texts.tag}</footer>
      </div>
      <output class="hidden" id="said" />
    </Layout>
  )
}

/** The state of something: an icon, its title and the next step. */
export const Verdict = (props: {
  readonly icon: IconName
  readonly tone: "good" | "bad" | "calm"
  readonly title: string
  readonly text: string
}) => (
  <div class="verdict">
    <span class={`seal ${props.tone}`}>
      <Icon name={props.icon} />
    </span>
    <h1 data-say="" tabIndex={-1}>
      {props.title}
    </h1>
    <p class="soft">{props.text}</p>
  </div>
)

/** Names with their values. */
export const Facts = (props: {
  readonly rows: ReadonlyArray<readonly [name: string, value: ComponentChildren]>
}) => (
  <dl class="facts">
    {props.rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

/** The payee, with the first letter of the name as a picture. */
export const Payee = ({ name, text }: { readonly name: string; readonly text: string }) => (
  <div class="payee">
    <span class="letter" aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
    <p>
      <strong>
        <bdi>{name}</bdi>
      </strong>{" "}
      <span class="soft">{text}</span>
    </p>
  </div>
)
