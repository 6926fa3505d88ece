export { isBackendSpec, parseBackendSpec } from './backend-spec.ts';
export type { ChatMessage, ChatModel, ChatReply, ChatRequest, ToolCall } from './chat-model.ts';
export { folderCache } from './folder-cache.ts';
export type { JsonModel } from './json-post.ts';
export { createModels, type Models, type ModelUse } from './models.ts';
export { fileCache, memoryCache, type ResponseCache } from './response-cache.ts';
