import { useRef } from "preact/hooks"
import { Dialog } from "../parts/basics.tsx"
import { Form, type FormProps } from "./Form.tsx"

type FormDialogProps<Input> = Omit<FormProps<Input>, "onUnknown"> & { readonly title: string }

/** A form in a dialog. If it is closed while its outcome is unknown, `onDone` is called. */
export const FormDialog = <Input,>({ title, ...form }: FormDialogProps<Input>) => {
  const isUnknown = useRef(false)
  const close = () => (isUnknown.current ? form.onDone() : form.onClose())
  return (
    <Dialog title={title} onClose={close}>
      <Form {...form} onClose={close} onUnknown={() => (isUnknown.current = true)} />
    </Dialog>
  )
}
