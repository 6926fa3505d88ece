export { createWorld, type ToolResult, type World, world } from './world.ts';
