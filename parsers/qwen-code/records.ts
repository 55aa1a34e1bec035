/**
 * Shapes of the records in a session file, as far as rows need them. Every field is unknown: a session file can be
 * edited by anyone, so each one is checked where it is used. See docs/formats/qwen-code.md.
 */

export interface RawRecord {
  readonly uuid?: unknown;
  readonly parentUuid?: unknown;
  readonly sessionId?: unknown;
  readonly timestamp?: unknown;
  readonly type?: unknown;
  readonly subtype?: unknown;
  readonly provenance?: unknown;
  readonly cwd?: unknown;
  readonly version?: unknown;
  readonly gitBranch?: unknown;
  readonly message?: unknown;
  readonly model?: unknown;
  readonly usageMetadata?: unknown;
  readonly toolCallResult?: unknown;
  readonly systemPayload?: unknown;
  readonly forkedFrom?: unknown;
  readonly agentId?: unknown;
  readonly agentName?: unknown;
  readonly isSidechain?: unknown;
}

export interface RawToolResult {
  readonly callId?: unknown;
  readonly status?: unknown;
  readonly errorType?: unknown;
  readonly executionStatus?: unknown;
  readonly resultDisplay?: unknown;
}

export interface RawPart {
  readonly text?: unknown;
  readonly thought?: unknown;
  readonly functionCall?: unknown;
  readonly functionResponse?: unknown;
  readonly inlineData?: unknown;
  readonly fileData?: unknown;
}

export interface RawCall {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly args?: unknown;
}

export interface RawResponse {
  readonly id?: unknown;
  readonly name?: unknown;
  readonly response?: unknown;
}
