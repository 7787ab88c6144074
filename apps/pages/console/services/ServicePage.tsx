import type { ServiceManifest } from "../../../../adapters/http/client/Resources.ts"
import { ManifestInput } from "../../../../core/registry/ManifestInput.ts"
import { api } from "../data/api.ts"
import { useAsked } from "../data/hooks.ts"
import { go, Link } from "../data/router.tsx"
import { Form } from "../forms/Form.tsx"
import { readBy } from "../forms/issues.ts"
import { Badge, Empty, Head, Loading, Problem } from "../parts/basics.tsx"
import { draftOf, NEW_SERVICE, readService } from "./serviceDraft.ts"
import { About, Paying, Pricing, Revoking } from "./ServiceFields.tsx"

const decode = readBy(ManifestInput)

const ask = async (id: string | undefined) => {
  const [{ data: channels }, service] = await Promise.all([
    api.channels.list(),
    id === undefined ? undefined : api.services.get(id),
  ])
  return { channels, service }
}

const titleOf = (service: ServiceManifest | undefined) =>
  service === undefined ? (
    "New service"
  ) : (
    <span class="titled">
      {service.name} <Badge status={service.status} />
    </span>
  )

const Crumb = () => (
  <p class="crumb">
    <Link to="/services">Services</Link>
  </p>
)

/** A form that registers a service, or changes the service with that id. */
export const ServicePage = ({ id }: { readonly id: string | undefined }) => {
  const { again, error, value } = useAsked(() => ask(id), id ?? "")
  if (value === undefined) {
    return error === undefined ? <Loading rows={8} /> : <Problem text={error} again={again} />
  }
  const { channels, service } = value
  // Only the owner sees the service's webhook endpoint.
  if (service !== undefined && service.endpoint === undefined) {
    return <Empty title="This service is another account's" />
  }
  // The seller decides about the order of the accepted channels.
  const accepted = service?.accepted_channels ?? []
  const ids = [...new Set([...accepted, ...channels.map(({ channel }) => channel)])]
  return (
    <div class="page narrow-page">
      <Crumb />
      <Head
        title={titleOf(service)}
        text={
          service === undefined
            ? "It is a draft until you activate it."
            : "Changes hold for new payments at once. Open ones go on as they are."
        }
      />
      <Form
        initial={service === undefined ? NEW_SERVICE : draftOf(service)}
        read={(draft) => readService(draft, ids)}
        decode={decode}
        send={(input, options) => api.services.create(input, options)}
        label={service === undefined ? "Register the service" : "Save the changes"}
        onDone={() => go("/services")}
        onClose={() => go("/services")}
      >
        <About isNew={service === undefined} />
        <Pricing />
        <Paying channels={channels} />
        <Revoking />
      </Form>
    </div>
  )
}
