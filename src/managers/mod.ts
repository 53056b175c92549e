/**
 * What may accompany a controller; each is optional, and none is loaded by itself.
 *
 * @module
 */
export { defaultManagers, type DefaultManagersOptions } from "./default_managers.ts";
export { DevToolsManager, type DevToolsManagerOptions } from "./dev_tools_manager.ts";
export { type EventStreamRequest, eventStreamSource } from "./event_stream_source.ts";
export { FocusManager, type FocusManagerOptions } from "./focus_manager.ts";
export { LogManager, type LogManagerOptions } from "./log_manager.ts";
export { LogoutManager, type LogoutManagerOptions } from "./logout_manager.ts";
export { PollingManager } from "./polling_manager.ts";
export { StreamManager } from "./stream_manager.ts";
export type { StreamManagerOptions, StreamTarget } from "./stream_options.ts";
export type { StreamMessage } from "./stream_source.ts";
export { webSocketSource, type WebSocketSourceOptions } from "./web_socket_source.ts";
