/** The limits of documents that are shown as pages: a part of `LIMIT_TABLE`. */
export const DOCUMENT_LIMITS = {
  documentInput: {
    value: 64 * 1024 ** 2,
    unit: 'bytes',
    what: 'Document that is converted to PDF',
    beyond: '413',
  },
  documentOutput: {
    value: 128 * 1024 ** 2,
    unit: 'bytes',
    what: 'PDF of a document',
    beyond: '422, program killed',
  },
  documentFiles: {
    value: 256 * 1024 ** 2,
    unit: 'bytes',
    what: 'Temporary files of a conversion to PDF',
    beyond: '422',
  },
  documentTime: {
    value: 60_000,
    unit: 'ms',
    what: 'Time to convert a document to PDF',
    beyond: '422, program killed',
  },
  documentRetry: {
    value: 10 * 60_000,
    unit: 'ms',
    what: 'Wait before a document whose conversion took too long is tried again',
    beyond: 'tried again',
  },
  documentsWaiting: { value: 16, unit: 'count', what: 'Queued conversions to PDF', beyond: '503' },
} as const
