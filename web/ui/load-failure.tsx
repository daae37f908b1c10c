import { errorDetail, errorText } from '../lib/error-text.ts'
import { t } from '../lib/i18n/index.ts'
import { Button } from './button.tsx'
import { ErrorState } from './error-state.tsx'

/** Data of a page that did not come: the sentence of specification section 8, the status, another try. */
export function LoadFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <ErrorState text={errorText(error)} detail={errorDetail(error)}>
      <Button kind="primary" onClick={onRetry}>
        {t('common.retry')}
      </Button>
    </ErrorState>
  )
}
