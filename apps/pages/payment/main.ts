/** A page that is looked at again shows what has become of the payment meanwhile. */
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) location.reload()
})
