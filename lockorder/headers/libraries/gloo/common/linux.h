// Parse-only stand-in for Gloo: gloo/common/linux.h.
#pragma once
#include <set>
#include <string>
#include <vector>
namespace gloo {
struct PCIClassMatch { int value, mask; }; const std::set<std::string>& kernelModules(); std::vector<std::string> pciDevices(PCIClassMatch); int pciDistance(const std::string& a, const std::string& b); const std::string& interfaceToBusID(const std::string& name); int getInterfaceSpeedByName(const std::string& ifname); const std::string& infinibandToBusID(const std::string& name);
}
