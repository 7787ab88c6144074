/** A drawn code: black on white in every theme, and sharp at every size. */
export const Qr = ({ label, svg }: { readonly label: string; readonly svg: string }) => (
  <img
    class="qr"
    alt={label}
    src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
    width="264"
    height="264"
  />
)
