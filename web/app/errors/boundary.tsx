import { Component, type ErrorInfo, type ReactNode } from 'react'
import { ChunkError } from '../../lib/chunk.ts'
import { t } from '../../lib/i18n/index.ts'
import { notify } from '../../lib/notices.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'

interface BoundaryProps {
  children: ReactNode
}

interface BoundaryState {
  error: Error | undefined
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Keeps a broken screen from leaving an empty page. */
export class PageBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: undefined }

  static getDerivedStateFromError(thrown: unknown): BoundaryState {
    return { error: asError(thrown) }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    console.error(error, info.componentStack)
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    const chunk = error instanceof ChunkError
    return (
      <ErrorState
        level={1}
        text={t(chunk ? 'errors.chunk' : 'errors.internal')}
        detail={chunk ? undefined : error.message}
      >
        <Button kind="primary" onClick={() => location.reload()}>
          {t('errors.reload')}
        </Button>
      </ErrorState>
    )
  }
}

/** Keeps a broken part (a dialog, say) from taking the page with it: an error notice, and `onError`. */
export class PartBoundary extends Component<BoundaryProps & { onError: () => void }, BoundaryState> {
  override state: BoundaryState = { error: undefined }

  static getDerivedStateFromError(thrown: unknown): BoundaryState {
    return { error: asError(thrown) }
  }

  override componentDidCatch(thrown: unknown): void {
    console.error(thrown)
    notify('error', t(thrown instanceof ChunkError ? 'errors.chunk' : 'errors.internal'))
    this.props.onError()
  }

  override render() {
    return this.state.error ? null : this.props.children
  }
}
