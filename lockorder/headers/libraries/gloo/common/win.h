// Parse-only stand-in for Gloo: gloo/common/win.h.
#pragma once
namespace gloo { void init_winsock(); }
