import { Component, type ErrorInfo, type ReactNode } from 'react'
import { ChunkError } from '../../lib/chunk.ts'
import { t } from '../../lib/i18n/index.ts'
import { resetFailedParts } from '../../lib/lazy.ts'
import { notify } from '../../lib/notices.ts'
import { onlineStore, reportNoResponse } from '../../lib/online.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { FailurePage } from './pages.tsx'

interface BoundaryProps {
  children: ReactNode
}

interface BoundaryState {
  error: Error | undefined
}

function reportError(error: unknown, info: ErrorInfo): void {
  resetFailedParts()
  console.error(error, info.componentStack)
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Keeps a failed screen from leaving an empty page. */
export class PageBoundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: undefined }

  static getDerivedStateFromError(thrown: unknown): BoundaryState {
    return { error: asError(thrown) }
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportError(error, info)
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    const chunk = error instanceof ChunkError
    return (
      <ErrorState
        level={1}
        text={t(chunk ? 'errors.chunk' : 'errors.internal')}
        cause={chunk ? undefined : error.message}
      >
        <Button kind="primary" onClick={() => location.reload()}>
          {t('errors.reload')}
        </Button>
      </ErrorState>
    )
  }
}

/**
 * Keeps a failed screen from taking the shell along, until the address changes. A chunk that failed to load is retried
 * by hand, or when the server is back.
 */
export class ScreenBoundary extends Component<BoundaryProps & { address: string }, BoundaryState> {
  override state: BoundaryState = { error: undefined }
  #stop = (): void => undefined

  static getDerivedStateFromError(thrown: unknown): BoundaryState {
    return { error: asError(thrown) }
  }

  override componentDidMount(): void {
    this.#stop = onlineStore.subscribe(() => {
      if (onlineStore.get() && this.state.error instanceof ChunkError) this.#retry()
    })
  }

  override componentDidUpdate({ address }: { address: string }): void {
    if (this.state.error && address !== this.props.address) this.#retry()
  }

  override componentWillUnmount(): void {
    this.#stop()
  }

  override componentDidCatch(error: unknown, info: ErrorInfo): void {
    reportError(error, info)
    // A probe shows whether the server is the cause.
    if (error instanceof ChunkError) reportNoResponse()
  }

  #retry = (): void => this.setState({ error: undefined })

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return <FailurePage error={error} onRetry={this.#retry} />
  }
}

/**
 * Keeps a failed part (a dialog, for instance) from taking the page along: shows an error notice and calls `onError`.
 */
export class PartBoundary extends Component<BoundaryProps & { onError: () => void }, BoundaryState> {
  override state: BoundaryState = { error: undefined }

  static getDerivedStateFromError(thrown: unknown): BoundaryState {
    return { error: asError(thrown) }
  }

  override componentDidCatch(thrown: unknown): void {
    resetFailedParts()
    console.error(thrown)
    notify('error', t(thrown instanceof ChunkError ? 'errors.chunk' : 'errors.internal'))
    this.props.onError()
  }

  override render() {
    return this.state.error ? null : this.props.children
  }
}
