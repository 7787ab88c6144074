import type { PageRequest } from "../Page.ts"
import { Icon } from "./icons.tsx"
import { Links } from "./Links.ts"
import { walletTexts } from "./messages.ts"
import { WalletFrame } from "./WalletFrame.tsx"

interface ScanProps {
  readonly request: PageRequest
  /** A pasted text that leads nowhere. */
  readonly wrong?: string
}

/** The camera and pictures, which need a script. The script shows them. */
const Finder = ({ request }: ScanProps) => {
  const { scan } = walletTexts[request.language]
  return (
    <div class="finder" data-finder={request.site.asset("scan.js")} hidden>
      <div class="view">
        <video muted playsInline hidden aria-label={scan.aim} />
        <Icon name="camera" />
      </div>
      <p class="soft small" data-aim="" hidden>
        {scan.aim}
      </p>
      <p
        class="wrong small"
        role="alert"
        data-flaw=""
        data-code={scan.noCode}
        data-camera={scan.noCamera}
      />
      <button type="button" class="button" data-camera="" data-stop={scan.stop}>
        {scan.camera}
      </button>
      <label class="button quiet">
        <Icon name="picture" />
        {scan.picture}
        <input class="hidden" type="file" accept="image/*" data-picture="" />
      </label>
    </div>
  )
}

/** The first page: a code is scanned, or its link is pasted. */
export const ScanView = ({ request, wrong }: ScanProps) => {
  const texts = walletTexts[request.language]
  const { scan } = texts
  return (
    <WalletFrame request={request} title={scan.title}>
      <div class="pass">
        <strong>{scan.cardName}</strong>
        <span>{scan.cardText}</span>
      </div>
      <h1>{scan.title}</h1>
      <p class="soft">{scan.lead}</p>
      <Finder request={request} />
      <form class="paste" method="post" action={new Links(request).home}>
        <label for="code">{scan.link}</label>
        <div class="row">
          <input
            id="code"
            name="code"
            type="text"
            required
            maxLength={2048}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            inputMode="url"
            aria-describedby={wrong === undefined ? "hint" : "wrong"}
            aria-invalid={wrong !== undefined}
            value={wrong ?? ""}
          />
          <button class="button quiet">{scan.open}</button>
        </div>
        {wrong === undefined ? (
          <p class="soft small" id="hint">
            {scan.hint}
          </p>
        ) : (
          <p class="wrong small" id="wrong" role="alert">
            {scan.unreadable}
          </p>
        )}
      </form>
    </WalletFrame>
  )
}
