import { t } from '../../../lib/i18n/index.ts'
import { Spinner } from '../../../ui/spinner.tsx'
import { type DocumentProps, sourceOf } from '../document/bytes.ts'
import { DocumentFailure } from '../document/failure.tsx'
import { PasswordForm } from './password-form.tsx'
import { PdfDocument } from './pdf-document.tsx'
import { usePdf } from './use-pdf.ts'

/** A PDF file with outline and search. */
export default function PdfViewer(props: DocumentProps) {
  const { pdf, question, error, retry } = usePdf(sourceOf(props))
  if (pdf) return <PdfDocument pdf={pdf} name={props.resource.name} />
  if (question && !error) return <PasswordForm resource={props.resource} question={question} />
  if (error) return <DocumentFailure {...props} error={error} onRetry={retry} />
  return <Spinner label={t('common.loading')} onRetry={retry} />
}
