/** Size limits and timeouts of requests. For the depth and number of JSON values see `JSON_LIMITS` in the scanner. */
export const REQUEST_LIMITS = {
  /** Maximum size of a JSON body after decompression. */
  jsonBytes: 1024 * 1024,
  /**
   * Maximum size of a form body after decompression. Browsers send forms from other sites; the largest is a SAML
   * response of about 10 kB.
   */
  formBytes: 256 * 1024,
  formParameters: 20,
  /** Maximum number of query values, including repeated names. */
  queryParameters: 250,
  /** Timeout from the end of the header fields to the last byte of a JSON or form body. */
  bodySeconds: 30,
  /** Timeout from the first byte of a request, or the start of a connection, to the end of the header fields. */
  headerSeconds: 66,
  /**
   * An upload must deliver this many bytes (as sent on the wire) in every window of this length. 0.5 kB/s is enough.
   */
  uploadWindowSeconds: 30,
  uploadWindowBytes: 16 * 1024,
  /**
   * While all slots for uploads, or all processes that pack large ones, are taken and another tenant needs one, an upload must
   * deliver this many bytes a second over so many seconds in which the server waits for it.
   */
  slowUploadBytesPerSecond: 64 * 1024,
  slowUploadSeconds: 10,
  /** The same for a tenant with two uploads while a tenant without any waits for a slot. */
  slowSecondUploadBytesPerSecond: 1024 * 1024,
  /** The same bound holds for an upload that has taken longer, while a tenant without any waits for a slot. */
  longUploadSeconds: 300,
  /**
   * While all streams of a kind are open and another tenant asks for one, a client must read this many bytes a second over
   * so many seconds in which the server waits for it. The network takes up to 1.5 MiB at once for a client that reads
   * steadily, so one that reads 64 KiB/s always passes.
   */
  slowStreamBytesPerSecond: 32 * 1024,
  slowStreamSeconds: 60,
  /** How long an export or a report waits while all of its kind are open. */
  streamWaitSeconds: 10,
  /** After this time one of a tenant without any takes the slot of a tenant with several. */
  streamTakeSeconds: 5,
  /** Timeout for a client that reads nothing of a response. */
  answerSeconds: 120,
  /** Timeout for a client to read one chunk of a stream (a few hundred lines). */
  pieceSeconds: 300,
  /** How long, and how many bytes of, an unwanted body is read before the connection is closed. */
  unwantedSeconds: 30,
  unwantedBytes: 64 * 1024 * 1024,
  /** Idle timeout of a keep-alive connection. */
  idleSeconds: 65,
} as const;
